/** What was last seen in force inside a service, beyond what its status says. */
import { type Static, Type } from "typebox";

export const InForce = Type.Object({
  /** By PostgreSQL's names, as the primary prints them; null while none was seen. */
  settings: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
  /** Which password of the first role was set last; null while no primary was seen. */
  passwordVersion: Type.Union([Type.Integer(), Type.Null()]),
  /** Who may connect; null while the endpoint does not tell. */
  allowList: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** The ordinal of the member that takes writes; null while none was seen. */
  primary: Type.Union([Type.Integer(), Type.Null()]),
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
