/** What was last seen in force inside a service, beyond what its status says. */
import { type Static, Type } from "typebox";

export const MemberState = Type.Union([
  Type.Literal("running"),
  /** It runs, and PostgreSQL does not answer yet, or does not answer any more. */
  Type.Literal("silent"),
  Type.Literal("stopped"),
  Type.Literal("frozen"),
  Type.Literal("cut off"),
]);
export type MemberState = Static<typeof MemberState>;

export const MemberInForce = Type.Object({
  ordinal: Type.Integer(),
  state: MemberState,
  /** null while PostgreSQL does not answer. */
  role: Type.Union([Type.Literal("primary"), Type.Literal("replica"), Type.Null()]),
});
export type MemberInForce = Static<typeof MemberInForce>;

export const InForce = Type.Object({
  /** By PostgreSQL's names, as the primary prints them; null while none was seen. */
  settings: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
  /** Which password of the first role was set last; null while no primary was seen. */
  passwordVersion: Type.Union([Type.Integer(), Type.Null()]),
  /** Who may connect; null while the endpoint does not tell. */
  allowList: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** The ordinal of the member that takes writes; null while none was seen. */
  primary: Type.Union([Type.Integer(), Type.Null()]),
  /** Every member, in order of their ordinals; missing in what was written before they were kept. */
  members: Type.Optional(Type.Array(MemberInForce)),
  /** The member that led last, also while nobody leads. */
  led: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /** Whether the pooler answers. */
  pooler: Type.Boolean(),
  /** Where clients reach it beside its own endpoint; left out: nowhere. */
  vpc: Type.Optional(
    Type.Object({
      vpcId: Type.String(),
      /** The peerings by which other networks reach it there. */
      peerings: Type.Array(Type.String()),
    }),
  ),
});
export type InForce = Static<typeof InForce>;
