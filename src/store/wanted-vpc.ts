import { sql } from "kysely";

/** The VPC that it is attached to, with what is known of its network. */
export interface WantedVpc {
  readonly vpcId: string;
  readonly cidr: string;
  /** Why its network cannot be joined; null: it is there. */
  readonly problem: string | null;
  /** Those alone whose network is there. */
  readonly peerings: readonly { readonly peeringId: string; readonly network: string }[];
}

/** Of a row of `services`; null: it is attached to none. */
export const WANTED_VPC = sql<WantedVpc | null>`(
  select jsonb_build_object(
    'vpcId', vpcs.id::text,
    'cidr', vpcs.cidr::text,
    'problem', case when vpcs.network_id is null then coalesce(vpcs.problem, 'its network is being made') end,
    'peerings', coalesce((
      select jsonb_agg(jsonb_build_object('peeringId', id::text, 'network', peer_vpc_id) order by id)
        from peerings where vpc_id = vpcs.id and network_id is not null
    ), '[]'))
    from vpcs where vpcs.id = services.vpc_id)`;
