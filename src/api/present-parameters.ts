/** From a service's row to the list of its database's settings. Pure. */
import type { Parameters, Parameter as Record } from "../contract/parameters.ts";
import { PARAMETERS, type Parameter } from "../planner/parameter-catalogue.ts";
import { rangeOf } from "../planner/parameters.ts";
import { settingsFor, settingsForSize } from "../planner/settings.ts";
import { type Service, sizeOf } from "../store/service-row.ts";

export const PARAMETERS_EXAMPLE: Parameters = {
  parameters: [
    {
      name: "max_connections",
      description: "How many sessions the server takes at once.",
      type: "integer",
      unit: null,
      min: "25",
      max: "200",
      value: "100",
      wanted_value: "150",
      size_value: "100",
      source: "custom",
      restart_required: true,
      restart_due: true,
    },
    {
      name: "work_mem",
      description: "How much memory one sort or hash of a query uses before it turns to disk.",
      type: "integer",
      unit: "kB",
      min: "64kB",
      max: "256MB",
      value: "4MB",
      wanted_value: "4MB",
      size_value: "4MB",
      source: "size",
      restart_required: false,
      restart_due: false,
    },
  ],
};

export function presentParameters(service: Service): Parameters {
  const size = sizeOf(service);
  const wanted = settingsFor(size, service.parameters);
  const unchosen = settingsFor(size, {});
  const sized = settingsForSize(size);
  const inForce = service.in_force?.settings ?? {};
  return {
    parameters: PARAMETERS.map((parameter) => {
      const { name, description, type, restart = false } = parameter;
      const value = inForce[name] ?? null;
      const wantedValue = wanted[name] ?? "";
      return {
        name,
        description,
        type,
        unit: null,
        ...acceptable(parameter),
        value,
        wanted_value: wantedValue,
        size_value: unchosen[name] ?? "",
        source: name in service.parameters ? "custom" : name in sized ? "size" : "default",
        restart_required: restart,
        restart_due: restart && value !== null && value !== wantedValue,
      };
    }),
  };

  function acceptable(
    parameter: Parameter,
  ): Partial<Pick<Record, "unit" | "min" | "max" | "special" | "options">> {
    switch (parameter.type) {
      case "bool":
        return {};
      case "enum":
        return { options: [...parameter.options] };
      case "integer":
      case "real": {
        const { unit = null, special } = parameter;
        return { unit, ...rangeOf(parameter, size), ...(special === undefined ? {} : { special }) };
      }
    }
  }
}
