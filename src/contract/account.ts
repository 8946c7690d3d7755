/** Who asks: API keys and projects as clients see them. */
import { type Static, Type } from "typebox";

export const Role = Type.Union(
  [Type.Literal("operator"), Type.Literal("admin"), Type.Literal("member"), Type.Literal("read_only")],
  {
    description:
      "read_only sees the project. member changes things in it too. admin also reads its audit. operator also sees the " +
      "whole installation.",
  },
);
export type Role = Static<typeof Role>;

export const Project = Type.Object({ id: Type.String(), name: Type.String() }, { title: "Project" });
export type Project = Static<typeof Project>;

const ApiKeyInfo = Type.Object({
  public_key: Type.String(),
  name: Type.String(),
  created: Type.String({ format: "date-time" }),
  role: Role,
  expires_at: Type.Optional(
    Type.String({ format: "date-time", description: "When it stops working; left out: never by itself." }),
  ),
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

/** What signs in to the console once, in the form {console}/#/sign-in/{token}. */
export const SignInLink = Type.Object(
  {
    token: Type.String({ description: "A secret, shown this once: whoever has it signs in with it." }),
    expires_at: Type.String({ format: "date-time" }),
  },
  { title: "SignInLink" },
);
export type SignInLink = Static<typeof SignInLink>;

export const SignInBody = Type.Object(
  {
    token: Type.String({
      pattern: "^[A-Za-z0-9_-]{43}$",
      description: "the token of a sign-in link: 43 letters, digits, - and _",
    }),
  },
  { additionalProperties: false, title: "SignIn" },
);
export type SignInBody = Static<typeof SignInBody>;

export const SignedIn = Type.Object(
  {
    api_key: Type.String({ description: "A new key, shown this once. Logging out revokes it." }),
    project: Project,
    role: Role,
    expires_at: Type.String({ format: "date-time" }),
  },
  { title: "SignedIn" },
);
export type SignedIn = Static<typeof SignedIn>;
