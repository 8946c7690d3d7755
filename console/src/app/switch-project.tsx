/**
 * The way from one project to another: a page of its own, so that the one before is left first. That one may have something to
 * ask, and must not be shown another project's data meanwhile.
 */
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { switchTo } from "../session/session.ts";

export function SwitchProject() {
  const { projectId } = useParams({ from: "/projects/$projectId" });
  const navigate = useNavigate();
  useEffect(() => {
    switchTo(projectId);
    void navigate({ to: "/services", replace: true });
  }, [projectId, navigate]);
  return null;
}
