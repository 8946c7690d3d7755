/** Regions: what a service can be there, what that gives, and what there is room for now. */
import { type Static, Type } from "typebox";

const MembersLeft = Type.Integer({
  description:
    "How many members of this size can still be promised; a service is one, and one more for each replica.",
});

/** Values as PostgreSQL prints them. */
const SizeSettings = Type.Object(
  {
    max_connections: Type.String(),
    shared_buffers: Type.String(),
    effective_cache_size: Type.String(),
    work_mem: Type.String(),
    maintenance_work_mem: Type.String(),
    max_parallel_workers: Type.String(),
  },
  { description: "What PostgreSQL runs with where no parameter is chosen.", title: "SizeSettings" },
);

const SizeOnOffer = Type.Object(
  {
    cpu_millis: Type.Integer(),
    memory_gbs: Type.Integer(),
    members_left: MembersLeft,
    settings: SizeSettings,
  },
  { title: "SizeOnOffer" },
);

export const Region = Type.Object(
  {
    code: Type.String(),
    available: Type.Boolean({ description: "Whether there is room for a service of any size." }),
    capacity: Type.Object(
      { cpu_millis: Type.Integer(), memory_gbs: Type.Number() },
      { description: "What it has; one member can have no more." },
    ),
    free: Type.Object(
      { cpu_millis: Type.Integer(), memory_gbs: Type.Number() },
      { description: "What can still be promised, which may be more than what it has." },
    ),
    sizes: Type.Array(SizeOnOffer, { description: "Smallest first." }),
    shared: Type.Object(
      { memory_gbs: Type.Integer(), members_left: MembersLeft, settings: SizeSettings },
      { description: "A low share of the CPU that is there, and a fixed amount of memory." },
    ),
    default_size: Type.Object(
      { cpu_millis: Type.Optional(Type.Integer()), memory_gbs: Type.Optional(Type.Integer()) },
      { description: "What a create without a size gives. Without fields: shared." },
    ),
    most_replicas: Type.Integer({ description: "Of any service, however much room there is." }),
  },
  { title: "Region" },
);
export type Region = Static<typeof Region>;

export const Regions = Type.Array(Region);
