/** What a schema found wrong, in sentences that name the field and what would be accepted. Pure. */

/** As Ajv reports it, with `verbose` on. */
export interface Violation {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly parentSchema?: unknown;
}

const MOST_SENTENCES = 5;

/** @param part what was validated: body or querystring */
export function describeViolations(violations: readonly Violation[], part: string): string {
  // A violated union is reported once for every branch, and then once as a whole.
  const unions = new Set(
    violations.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath),
  );
  const relevant = violations.filter(
    ({ keyword, instancePath }) => keyword === "anyOf" || !unions.has(instancePath),
  );
  const sentences = [...new Set(relevant.map((violation) => describe(violation, part)))];
  const more = sentences.length - MOST_SENTENCES;
  return sentences.slice(0, MOST_SENTENCES).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

function describe({ keyword, instancePath, params, message, parentSchema }: Violation, part: string): string {
  const field = fieldName(instancePath);
  const schema = entriesOf(parentSchema);
  const subject = field ?? `the ${part}`;
  const properties = Object.keys(Object.fromEntries(entriesOf(schema.get("properties"))));
  switch (keyword) {
    case "additionalProperties":
      return `unknown field ${JSON.stringify(params["additionalProperty"])}; the known ones are ${properties.join(", ")}`;
    case "required":
      return `${text(params["missingProperty"])} is required`;
    case "minProperties":
      return `${subject} must have at least one ${properties.length > 0 ? `of ${properties.join(", ")}` : "entry"}`;
    case "anyOf":
      return `${subject} must be one of ${constants(schema.get("anyOf")).join(", ")}`;
    case "type":
    case "minimum":
    case "maximum":
    case "pattern":
      return `${subject} must be ${expected(schema, schema.get("type"))}`;
    // These are about one type, also where the schema takes others.
    case "minLength":
    case "maxLength":
      return `${subject} must be ${expected(schema, "string")}`;
    case "minItems":
    case "maxItems":
      return `${subject} must be ${expected(schema, "array")}`;
    default:
      return `${subject} ${message ?? "is not accepted"}`;
  }
}

function expected(schema: ReadonlyMap<string, unknown>, type: unknown): string {
  switch (type) {
    case "object":
      return "a JSON object";
    case "array":
      return `an array${range(schema, "minItems", "maxItems", " elements")}`;
    case "integer":
      return `a whole number${range(schema, "minimum", "maximum")}`;
    case "string":
      return schema.has("pattern")
        ? `a string: ${text(schema.get("description"))}`
        : `a string${range(schema, "minLength", "maxLength", " characters")}`;
    default:
      return `of type ${[type].flat().map(text).join(" or ")}`;
  }
}

function range(schema: ReadonlyMap<string, unknown>, least: string, most: string, unit = ""): string {
  const bound = (name: string) => text(schema.get(name));
  if (schema.has(least) && schema.has(most)) return ` from ${bound(least)} to ${bound(most)}${unit}`;
  if (schema.has(least)) return ` of at least ${bound(least)}${unit}`;
  return schema.has(most) ? ` of at most ${bound(most)}${unit}` : "";
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "another one";
}

/** `/addons/0` is addons[0]; null for the whole. */
function fieldName(instancePath: string): string | null {
  const [first, ...rest] = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (first === undefined) return null;
  return first + rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join("");
}

function constants(branches: unknown): readonly string[] {
  return Array.isArray(branches) ? branches.map((branch) => text(entriesOf(branch).get("const"))) : [];
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}
