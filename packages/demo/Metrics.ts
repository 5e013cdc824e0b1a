/** The figures of one node that the view shows. */
export interface NodeFigures {
  readonly shards: number
  /** Owners in memory. */
  readonly owners: number
  readonly memoryBytes: number
  /** Processor seconds since the node started. */
  readonly cpuSeconds: number
}

const sample = /^(\w+)(?:\{[^}]*\})? ([\d.eE+-]+)$/gm

/** Returns the figures of a page of `/metrics`; a family with labels is summed over them. */
export const figuresOf = (page: string): NodeFigures => {
  const sums = new Map<string, number>()
  for (const [, name = "", value] of page.matchAll(sample)) sums.set(name, (sums.get(name) ?? 0) + Number(value))
  const of = (name: string) => sums.get(name) ?? 0
  return {
    shards: of("effect_cluster_shards"),
    owners: of("owner_resident"),
    memoryBytes: of("process_resident_memory_bytes"),
    cpuSeconds: of("process_cpu_user_seconds_total") + of("process_cpu_system_seconds_total")
  }
}

/** Reads the figures of a node; undefined when it does not answer within half a second. */
export const readFigures = async (admin: string): Promise<NodeFigures | undefined> => {
  try {
    const answer = await fetch(`${admin}/metrics`, { signal: AbortSignal.timeout(500) })
    return answer.ok ? figuresOf(await answer.text()) : undefined
  } catch {
    return undefined
  }
}
