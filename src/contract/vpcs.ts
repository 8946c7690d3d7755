/** VPCs: private networks into which services can be attached, and peerings of them with other networks. */
import { type Static, Type } from "typebox";
import { cidrsOverlap, parseCidr } from "./cidr.ts";

/** Bounds what a region's host has to look after. */
export const MAX_VPCS_PER_PROJECT = 50;
export const MAX_PEERINGS_PER_VPC = 10;

/** Where the gateway listens inside a VPC; the pooler's clients find it on its own port beside it. */
export const VPC_PORT = 5432;
export const VPC_POOLER_PORT = 6432;

/** The name by which a service is reached in its VPC, for its whole life; its certificates carry it from the beginning. */
export function vpcHost(serviceId: string): string {
  return `${serviceId}.howdah.internal`;
}

const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  // PostgreSQL stores no NUL, and half a surrogate pair is no character.
  pattern: "^[^\\u0000\\p{Cs}]*$",
  description: "Human-readable name, 1 to 128 characters.",
  examples: ["backend"],
});

export const Vpc = Type.Object(
  {
    id: Type.String({ description: "Digits." }),
    name: Type.String(),
    cidr: Type.String({ examples: ["10.50.0.0/16"] }),
    region_code: Type.String(),
  },
  { title: "Vpc" },
);
export type Vpc = Static<typeof Vpc>;

export const CreateVpcBody = Type.Object(
  {
    name: Name,
    cidr: Type.String({
      maxLength: 64,
      description: "A private IPv4 range that nothing else uses, /16 to /28, such as 10.50.0.0/24.",
      examples: ["10.50.0.0/24"],
    }),
    region_code: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "Left out: the only region there is." }),
    ),
  },
  { additionalProperties: false, title: "CreateVpc" },
);
export type CreateVpcBody = Static<typeof CreateVpcBody>;

export const RenameVpcBody = Type.Object({ name: Name }, { additionalProperties: false, title: "RenameVpc" });
export type RenameVpcBody = Static<typeof RenameVpcBody>;

export const PeeringStatus = Type.Union(
  [Type.Literal("PENDING"), Type.Literal("ACTIVE"), Type.Literal("FAILED")],
  { description: "ACTIVE: all services of the VPC are reached from the peered network." },
);
export type PeeringStatus = Static<typeof PeeringStatus>;

export const Peering = Type.Object(
  {
    id: Type.String({ description: "Digits." }),
    peer_account_id: Type.String(),
    peer_region_code: Type.String(),
    peer_vpc_id: Type.String({ description: "The engine's name of the other network." }),
    provisioned_id: Type.Optional(Type.String({ description: "The engine's id of the other network." })),
    status: Type.Optional(PeeringStatus),
    error_message: Type.Optional(Type.String({ description: "Why it is not ACTIVE, where that is known." })),
  },
  { title: "Peering" },
);
export type Peering = Static<typeof Peering>;

const plainText = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: "^[^\\u0000-\\u001f\\p{Cs}]*$",
    description: `${description}, 1 to 128 characters.`,
    examples: [example],
  });

export const CreatePeeringBody = Type.Object(
  {
    peer_account_id: plainText("Whose network it is; kept, and of no effect here", "team-a"),
    peer_region_code: plainText("Where it is: the region of the VPC", "local"),
    peer_vpc_id: plainText("The engine's name of the other network", "app_default"),
  },
  { additionalProperties: false, title: "CreatePeering" },
);
export type CreatePeeringBody = Static<typeof CreatePeeringBody>;

export const VpcIdBody = Type.Object(
  { vpc_id: Type.String({ maxLength: 64, description: "The VPC.", examples: ["1"] }) },
  { additionalProperties: false, title: "VpcId" },
);
export type VpcIdBody = Static<typeof VpcIdBody>;

const PRIVATE_RANGES = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"] as const;
const LARGEST = 16;
const SMALLEST = 28;

/** The range of a VPC, as it was written; what is refused says what would be accepted. */
export function parseVpcCidr(text: string): ReturnType<typeof parseCidr> {
  const parsed = parseCidr(text);
  if (parsed.kind === "refused") return parsed;
  const [address = "", bits] = parsed.cidr.split("/");
  if (address.includes(":")) return { kind: "refused", message: `${JSON.stringify(text)} is no IPv4 range` };
  if (Number(bits) < LARGEST || Number(bits) > SMALLEST) {
    return {
      kind: "refused",
      message: `${JSON.stringify(text)} is too ${Number(bits) < LARGEST ? "large" : "small"}; it can be from /${LARGEST} to /${SMALLEST}`,
    };
  }
  // One as small as a VPC lies in a private range as a whole, or not at all.
  if (PRIVATE_RANGES.some((range) => cidrsOverlap(range, parsed.cidr))) return parsed;
  return {
    kind: "refused",
    message: `${JSON.stringify(text)} is no private range; take one inside ${PRIVATE_RANGES.join(", ")}`,
  };
}
