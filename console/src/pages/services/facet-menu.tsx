/** Some of a few values, to be ticked. */
import { Badge, Button, Checkbox, Group, Popover, Stack, Text } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import type { FacetValue } from "./service-filters.ts";

export interface FacetMenuProps {
  readonly title: string;
  readonly values: readonly FacetValue[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function FacetMenu({ title, values, chosen, onChange }: FacetMenuProps) {
  return (
    <Popover position="bottom-start" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          h={34}
          fw={500}
          rightSection={
            chosen.length > 0 ? (
              <Badge size="sm" circle aria-label={`${chosen.length} chosen`}>
                {chosen.length}
              </Badge>
            ) : (
              <ChevronDown size={14} aria-hidden />
            )
          }
        >
          {title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" miw={190}>
        <Checkbox.Group value={[...chosen]} onChange={onChange} label={title} labelProps={{ mb: 6 }}>
          <Stack gap={8}>
            {values.map(({ value, label, count }) => (
              <Checkbox
                key={value}
                value={value}
                size="xs"
                label={
                  <Group gap={6} wrap="nowrap">
                    <Text span size="sm">
                      {label}
                    </Text>
                    <Text span size="xs" c="dimmed">
                      {count}
                    </Text>
                  </Group>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
