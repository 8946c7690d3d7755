/** Whether a peering works, as a word with a sign. */
import { Check, CircleDashed, TriangleAlert } from "lucide-react";
import classes from "./vpcs.module.css";

const SHOWN = {
  ACTIVE: { word: "Active", icon: Check },
  PENDING: { word: "Pending", icon: CircleDashed },
  FAILED: { word: "Failed", icon: TriangleAlert },
};

export function PeeringBadge({ status }: { status: string }) {
  const known = status === "ACTIVE" || status === "FAILED" ? status : "PENDING";
  const { word, icon: Icon } = SHOWN[known];
  return (
    <span className={classes["badge"]} data-status={known} title={status}>
      <Icon size={13} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}
