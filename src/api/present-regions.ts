/** From what a region has and has promised to what can be created there. Pure. */
import type { Region } from "../contract/regions.ts";
import { MAX_REPLICAS } from "../contract/requests.ts";
import { type DedicatedSize, SHARED_SIZE, type Size } from "../contract/size.ts";
import { settingsFor } from "../planner/settings.ts";
import { type Amount, type Room, SHARED_SHARE } from "../store/regions.ts";
import { defaultSize } from "./creation.ts";
import { left, membersLeft, type Overcommit } from "./room.ts";

const GIB = 1024 ** 3;

export function presentRegion(room: Room, sizes: readonly DedicatedSize[], overcommit: Overcommit): Region {
  const usual = defaultSize(sizes);
  const offer = (size: Size) => ({
    members_left: membersLeft(room, size, overcommit),
    settings: settingsOf(size),
  });
  const offers = sizes.map((size) => ({
    cpu_millis: size.cpuMillis,
    memory_gbs: size.memoryGbs,
    ...offer(size),
  }));
  const shared = { memory_gbs: SHARED_SHARE.memoryGbs, ...offer(SHARED_SIZE) };
  return {
    code: room.code,
    available: [shared, ...offers].some((each) => each.members_left > 0),
    capacity: presentAmount(room.capacity),
    free: presentAmount(left(room, overcommit)),
    sizes: offers,
    shared,
    default_size: usual.kind === "shared" ? {} : { cpu_millis: usual.cpuMillis, memory_gbs: usual.memoryGbs },
    most_replicas: MAX_REPLICAS,
  };
}

function presentAmount({ cpuMillis, memoryBytes }: Amount) {
  return { cpu_millis: Math.floor(cpuMillis), memory_gbs: Math.floor((memoryBytes / GIB) * 10) / 10 };
}

/** The few that people choose a size by. */
function settingsOf(size: Size): Region["shared"]["settings"] {
  const settings = settingsFor(size, {});
  const value = (name: string) => settings[name] ?? "";
  return {
    max_connections: value("max_connections"),
    shared_buffers: value("shared_buffers"),
    effective_cache_size: value("effective_cache_size"),
    work_mem: value("work_mem"),
    maintenance_work_mem: value("maintenance_work_mem"),
    max_parallel_workers: value("max_parallel_workers"),
  };
}
