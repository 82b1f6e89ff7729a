// Every import of zod becomes one of the release under test, whoever asks for it.

let alias = "";
let from = "";

export function initialize(data) {
  alias = data.alias;
  from = data.from;
}

export function resolve(specifier, context, next) {
  const isZod = specifier === "zod" || specifier.startsWith("zod/");
  const isOurs = specifier === "zod-to-json-schema";
  if (!isZod && !isOurs) return next(specifier, context);
  const name = isZod ? specifier.replace(/^zod/, alias) : specifier;
  return next(name, { ...context, parentURL: from });
}
