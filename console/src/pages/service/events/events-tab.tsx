export function EventsTab() {
  return null;
}
