import { NAME_OR_ID } from "../service/options.ts";

/** Of every command that is about one that there is. */
export const VPC_ARGUMENT = ["<vpc>", NAME_OR_ID] as const;
