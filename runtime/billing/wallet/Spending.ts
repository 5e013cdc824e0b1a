/** One project's debits in one UTC month (`2026-01`), in 1/10,000 BRL. */
export interface MonthSpending {
  readonly project_id: string
  readonly month: string
  readonly spent: number
}

/** The months in memory: the present one, and one more because clocks of nodes differ slightly. */
const mostMonths = 2

/**
 * Holds the debits of an account's projects by month, including debits that are not written yet: a cap that is read
 * from the table misses those. gaps-3 D "Spend cap and fees"
 */
export class Spending {
  private readonly months = new Map<string, Map<string, number>>()

  constructor(rows: ReadonlyArray<MonthSpending>) {
    for (const { month, project_id, spent } of rows) this.add(project_id, month, spent)
  }

  /** Returns what a project has spent in a month. */
  of(projectId: string, month: string): number {
    return this.months.get(month)?.get(projectId) ?? 0
  }

  /** Adds a debit. */
  add(projectId: string, month: string, amount: number): void {
    const projects = this.months.get(month) ?? new Map<string, number>()
    projects.set(projectId, (projects.get(projectId) ?? 0) + amount)
    this.months.set(month, projects)
    if (this.months.size <= mostMonths) return
    const [oldest] = [...this.months.keys()].sort()
    if (oldest !== undefined) this.months.delete(oldest)
  }
}
