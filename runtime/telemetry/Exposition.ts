import type { Context } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** Help texts for the metrics of the cluster library, most of which it declares without one. */
export const libraryHelp: Readonly<Record<string, string>> = {
  effect_cluster_entities: "Owners in memory, by type",
  effect_cluster_entity_mailbox_size_max: "Calls waiting at the busiest owner of a type",
  effect_cluster_runners: "Nodes this node counts in the cluster: itself",
  effect_cluster_runners_healthy: "Nodes this node counts as healthy: itself",
  effect_cluster_shard_release: "Time to hand a shard over, in milliseconds",
  effect_cluster_shards: "Shards held by this node",
  effect_cluster_shards_releasing: "Shards on their way to another node",
  effect_cluster_singletons: "Tasks that one node does for the whole cluster, run by this node"
}

/** Returns the metrics of a process in the Prometheus text format, each family with a help text. */
export const exposition = (context: Context.Context<never>): string => {
  const lines = PrometheusMetrics.formatUnsafe(context).split("\n")
  return lines.flatMap((line, at) => withHelp(line, lines[at - 1])).join("\n")
}

const withHelp = (line: string, before: string | undefined): ReadonlyArray<string> => {
  const name = /^# TYPE (\S+) /.exec(line)?.[1]
  const help = name === undefined ? undefined : libraryHelp[name]
  return help === undefined || before?.startsWith(`# HELP ${name} `) === true
    ? [line]
    : [`# HELP ${name} ${help}`, line]
}
