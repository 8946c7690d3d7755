/** Who asks: API keys and projects as clients see them. */
import { type Static, Type } from "typebox";

export const Role = Type.Union([Type.Literal("admin"), Type.Literal("member"), Type.Literal("read_only")]);
export type Role = Static<typeof Role>;

export const Project = Type.Object({ id: Type.String(), name: Type.String() }, { title: "Project" });
export type Project = Static<typeof Project>;

const ApiKeyInfo = Type.Object({
  public_key: Type.String(),
  name: Type.String(),
  created: Type.String({ format: "date-time" }),
  project: Type.Object({ id: Type.String(), name: Type.String(), plan_type: Type.String() }),
  issuing_user: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String({ format: "email" }),
  }),
});

export const AuthInfo = Type.Object(
  {
    type: Type.Literal("apiKey"),
    api_key: ApiKeyInfo,
    apiKey: Type.Object(ApiKeyInfo.properties, { deprecated: true, description: "The same as api_key." }),
  },
  { title: "AuthInfo" },
);
export type AuthInfo = Static<typeof AuthInfo>;
