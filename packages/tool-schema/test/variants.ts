const oddities: readonly unknown[] = [null, "", "x", 0, 1.5, -1, true, [], ["x"], {}, { x: 1 }];

/** Values like a given one with one spot changed: replaced, removed or added. */
export function variantsOf(value: unknown, limit = 80): unknown[] {
  const found: unknown[] = [];
  visit(value, (made) => found.push(made), 0);
  if (found.length <= limit) return found;
  const step = found.length / limit;
  return Array.from({ length: limit }, (_, index) => found[Math.floor(index * step)]);
}

function visit(value: unknown, offer: (made: unknown) => void, depth: number): void {
  for (const oddity of oddities) offer(oddity);
  if (typeof value !== "object" || value === null || depth > 4) return;
  if (Array.isArray(value)) {
    offer([...value, ...value]);
    for (const [index, each] of value.entries()) {
      visit(each, (made) => offer(value.with(index, made)), depth + 1);
    }
    return;
  }
  offer({ ...value, "no such property": 1 });
  offer({ ...value, toString: 1 });
  for (const [key, each] of Object.entries(value)) {
    const { [key]: _, ...rest } = value as Record<string, unknown>;
    offer(rest);
    visit(each, (made) => offer({ ...value, [key]: made }), depth + 1);
  }
}
