export function MetricsTab() {
  return null;
}
