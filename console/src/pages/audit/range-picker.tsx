import { Select, TextInput } from "@mantine/core";
import { LAST, type Range } from "./range.ts";

const CHOICES = [
  ...LAST.map(({ hours, title }) => ({ value: String(hours), label: title })),
  { value: "between", label: "Between two moments" },
];

export function RangePicker({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  return (
    <>
      <Select
        label="Time"
        data={CHOICES}
        value={range.kind === "last" ? String(range.hours) : "between"}
        allowDeselect={false}
        onChange={(value) =>
          onChange(
            value === "between"
              ? { kind: "between", from: "", to: "" }
              : { kind: "last", hours: Number(value) },
          )
        }
        w={{ base: "100%", xs: 190 }}
      />
      {range.kind === "between" && (
        <>
          <TextInput
            type="datetime-local"
            label="From"
            value={range.from}
            onChange={(event) => onChange({ ...range, from: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label="To"
            value={range.to}
            onChange={(event) => onChange({ ...range, to: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
