/** "1 node", "3 nodes" */
export function nodesWords(count: number): string {
  return `${count} ${count === 1 ? "node" : "nodes"}`;
}
