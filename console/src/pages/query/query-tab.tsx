export function QueryTab() {
  return null;
}
