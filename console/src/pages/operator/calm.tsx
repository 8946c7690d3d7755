/** That there is nothing to look at, and that this is well. */
import { Check } from "lucide-react";
import classes from "./operator-page.module.css";

/** @param inset where the panel around it has no edge of its own */
export function Calm({ inset = false, children }: { inset?: boolean; children: string }) {
  return (
    <div className={classes["calm"]} data-inset={inset || undefined}>
      <Check size={16} strokeWidth={2.5} aria-hidden />
      {children}
    </div>
  );
}
