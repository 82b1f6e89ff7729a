/** Stands in for a model: its first call is cut off, as long answers are. */
export function* scriptedModel(names: readonly string[]) {
  const named = (end: string) => names.find((name) => name.endsWith(end)) ?? "";
  yield { name: named("price"), arguments: '{"item":"te' };
  yield { name: named("price"), arguments: '{"item":"tea"}' };
  yield { name: named("clear"), arguments: "" };
}
