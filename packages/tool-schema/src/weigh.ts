interface Graph<Node> {
  /** What a node weighs by itself. */
  weight(node: Node): number;
  next(node: Node): readonly Node[];
}

interface Open<Node> {
  readonly node: Node;
  readonly next: readonly Node[];
  position: number;
  total: number;
}

/**
 * The weight of each node with all it leads to, what is reached on two ways counted twice; and a
 * node that leads to itself, if there is one: then the weights are not complete.
 */
export function weigh<Node>(
  nodes: Iterable<Node>,
  graph: Graph<Node>,
): { readonly totals: ReadonlyMap<Node, number>; readonly cycle: Node | undefined } {
  const totals = new Map<Node, number>();
  const path = new Set<Node>();
  for (const start of nodes) {
    if (totals.has(start)) continue;
    const open: Open<Node>[] = [enter(start, graph, path)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const node = top.next[top.position];
      if (node === undefined) {
        totals.set(top.node, top.total);
        path.delete(top.node);
        open.pop();
        continue;
      }
      const known = totals.get(node);
      if (known !== undefined) {
        top.total += known;
        top.position += 1;
      } else if (path.has(node)) {
        return { totals, cycle: node };
      } else {
        open.push(enter(node, graph, path));
      }
    }
  }
  return { totals, cycle: undefined };
}

function enter<Node>(node: Node, graph: Graph<Node>, path: Set<Node>): Open<Node> {
  path.add(node);
  return { node, next: graph.next(node), position: 0, total: graph.weight(node) };
}
