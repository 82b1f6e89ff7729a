/** A Proxy whose watched methods take any number of arguments and so have length 0. */
export function instrument<T extends object>(
  target: T,
  options: { name: string; ops: (keyof T)[] },
): T {
  const watched = new Set<PropertyKey>(options.ops);
  return new Proxy(target, {
    get(real, property, receiver) {
      const member: unknown = Reflect.get(real, property, receiver);
      if (typeof member !== "function") return member;
      if (!watched.has(property)) return member.bind(real);
      return async (...args: unknown[]) => member.apply(real, args);
    },
  });
}
