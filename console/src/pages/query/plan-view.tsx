/** A plan as a tree: what each step is, what it takes of the whole, and where the planner was wrong. */
import { Group, Text, UnstyledButton } from "@mantine/core";
import { ChevronRight, Flame, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Copy } from "../../ui/copy.tsx";
import { type PlanNode, type PlanTree, readPlan } from "./plan-tree.ts";
import classes from "./plan-view.module.css";
import { milliseconds } from "./sheet.ts";

const INDENT_PX = 20;

export function PlanView({ plan }: { plan: unknown }) {
  const tree = readPlan(plan);
  const text = JSON.stringify(plan, null, 2);
  // A PostgreSQL to come may write plans in another way: they are shown as they are.
  if (!tree) return <pre className={classes["raw"]}>{text}</pre>;
  return (
    <>
      <Group className={classes["summary"]} gap="md">
        {tree.executionMs !== null && <Text size="sm">Ran in {milliseconds(tree.executionMs)}</Text>}
        {tree.planningMs !== null && (
          <Text size="sm" c="dimmed">
            planned in {milliseconds(tree.planningMs)}
          </Text>
        )}
        {!tree.measured && (
          <Text size="sm" c="dimmed">
            Nothing was run: rows and costs are estimates.
          </Text>
        )}
        <Copy text={text} what="the plan as JSON" />
      </Group>
      <div className={classes["scroller"]} tabIndex={0} role="region" aria-label="Plan">
        <table className={classes["table"]}>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">{tree.measured ? "Own time" : "Own cost"}</th>
              <th scope="col">{tree.measured ? "Rows" : "Rows, estimated"}</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {tree.nodes.map((node, index) => (
              <PlanRow key={index} node={node} tree={tree} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function PlanRow({ node, tree }: { node: PlanNode; tree: PlanTree }) {
  const [open, setOpen] = useState(false);
  const worst = tree.worst === node;
  return (
    <>
      <tr data-worst={worst || undefined} data-never={node.loops === 0 || undefined}>
        <th scope="row" style={{ paddingInlineStart: 12 + node.depth * INDENT_PX }}>
          <UnstyledButton
            className={classes["step"]}
            aria-expanded={open}
            disabled={node.details.length === 0}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight
              size={14}
              aria-hidden
              className={classes["chevron"]}
              data-open={open || undefined}
            />
            <span>
              <b>{node.kind}</b> <span className={classes["subject"]}>{node.subject}</span>
              {worst && (
                <span className={classes["flag"]} data-mood="bad">
                  <Flame size={12} aria-hidden /> takes the most
                </span>
              )}
              {node.misjudged !== null && (
                <span className={classes["flag"]} data-mood="warn">
                  <TriangleAlert size={12} aria-hidden /> estimate is {factor(node.misjudged)} off
                </span>
              )}
              {node.loops === 0 && (
                <span className={classes["flag"]} data-mood="calm">
                  never run
                </span>
              )}
            </span>
          </UnstyledButton>
        </th>
        <td>
          <span className={classes["share"]}>
            <span className={classes["bar"]} aria-hidden>
              <span style={{ width: `${Math.round(node.share * 100)}%` }} />
            </span>
            <span>{node.ownMs === null ? count(node.ownCost) : milliseconds(node.ownMs)}</span>
            <small>{Math.round(node.share * 100)} %</small>
          </span>
        </td>
        <td>
          {count(node.actualRows ?? node.estimatedRows)}
          {node.actualRows !== null && (
            <small>
              of {count(node.estimatedRows)} estimated
              {(node.loops ?? 1) > 1 && `, in ${count(node.loops ?? 1)} loops`}
            </small>
          )}
        </td>
        <td>{count(node.cost)}</td>
      </tr>
      {open && (
        <tr className={classes["details"]}>
          <td colSpan={4} style={{ paddingInlineStart: 38 + node.depth * INDENT_PX }}>
            <dl>
              {node.details.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}

function count(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
}

function factor(times: number): string {
  return `${count(Math.round(times))}×`;
}
