/** The settings of a database that users may change: how they are told, and how they are changed. */
import { type Static, Type } from "typebox";

const VALUE_DESCRIPTION =
  "As PostgreSQL takes it: `64MB`, `30s`, `on`, `1.1`. A number alone counts in the parameter's unit. null takes the " +
  "choice back, so that the size's own value returns.";

export const ChangeParametersBody = Type.Object(
  {
    parameters: Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({
      type: "object",
      minProperties: 1,
      additionalProperties: { type: ["string", "number", "boolean", "null"], description: VALUE_DESCRIPTION },
      description: "By their names; what is not named stays as it is.",
      examples: [{ work_mem: "64MB", statement_timeout: "30s", max_connections: null }],
    }),
  },
  { additionalProperties: false, title: "ChangeParameters" },
);
export type ChangeParametersBody = Static<typeof ChangeParametersBody>;

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });

export const Parameter = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    type: Type.Union([
      Type.Literal("bool"),
      Type.Literal("integer"),
      Type.Literal("real"),
      Type.Literal("enum"),
    ]),
    unit: nullableText("In which a number alone counts; null: none. 8kB are PostgreSQL's pages."),
    min: Type.Optional(Type.String({ description: "The lowest, for the service's size." })),
    max: Type.Optional(Type.String({ description: "The highest, for the service's size." })),
    special: Type.Optional(
      Type.String({
        description: "A value outside of the range that is accepted too, such as 0 for no limit.",
      }),
    ),
    options: Type.Optional(Type.Array(Type.String())),
    value: nullableText("In force inside the primary; null while that is not known."),
    wanted_value: Type.String({ description: "What was asked for." }),
    size_value: Type.String({ description: "What it would be if nothing else had been chosen." }),
    source: Type.Union([Type.Literal("size"), Type.Literal("default"), Type.Literal("custom")], {
      description: "Where the wanted value comes from: the size, Howdah's default, or a choice.",
    }),
    restart_required: Type.Boolean({
      description: "Whether PostgreSQL takes up a change only at a restart.",
    }),
    restart_due: Type.Boolean({ description: "Whether a restart for it is still to come." }),
  },
  { title: "Parameter" },
);
export type Parameter = Static<typeof Parameter>;

export const Parameters = Type.Object({ parameters: Type.Array(Parameter) }, { title: "Parameters" });
export type Parameters = Static<typeof Parameters>;
