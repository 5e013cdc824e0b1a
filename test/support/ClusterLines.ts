/** One process of a cluster, from its launcher's output; `-` stands for an address that it does not have. */
export interface ClusterNode {
  readonly role: string
  readonly number: number
  readonly pid: number
  readonly http: string
  readonly runner: string
  readonly admin: string
}

const line =
  /^node (?<role>\w+) (?<number>\d+) pid=(?<pid>\d+) http=(?<http>\S+) runner=(?<runner>\S+) admin=(?<admin>\S+)$/gm

/** Returns the processes of a cluster from its launcher's output. Boot contract, "Several nodes on one machine" */
export const nodesOf = (output: string): ReadonlyArray<ClusterNode> =>
  [...output.matchAll(line)].map(({ groups = {} }) => ({
    role: groups.role ?? "",
    number: Number(groups.number),
    pid: Number(groups.pid),
    http: groups.http ?? "",
    runner: groups.runner ?? "",
    admin: groups.admin ?? ""
  }))
