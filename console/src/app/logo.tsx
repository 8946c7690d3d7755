/** The mark, a canopy on a seat, and the name. */
import { Group, Text } from "@mantine/core";

export function Logo() {
  return (
    <Group gap={9} wrap="nowrap">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="8" fill="#4548c4" />
        <path d="M6 14.5C8.5 9 12 6.5 16 6.5s7.5 2.5 10 8Z" fill="#f4b740" />
        <g stroke="#fff" strokeLinecap="round">
          <path d="M9.5 17v5M16 17v5M22.5 17v5" strokeWidth="2.2" />
          <path d="M6.5 25h19" strokeWidth="2.4" />
        </g>
      </svg>
      <Text fw={650} size="lg" lh={1} style={{ letterSpacing: "-0.01em" }}>
        Howdah
      </Text>
    </Group>
  );
}
