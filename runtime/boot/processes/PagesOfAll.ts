import type { HealthResult } from "@carteiro/owners/HealthChecks.ts"
import { Effect } from "effect"
import { type Health, healthJson, healthPage, metricsPage, type Page, type Pages } from "../../admin/AdminServer.ts"
import { exposition } from "../../telemetry/Exposition.ts"
import type { EqualProcess } from "./EqualProcess.ts"
import { labelledMetrics } from "./LabelledMetrics.ts"

type PagedProcess = Pick<EqualProcess, "number" | "pid" | "ask" | "hasPages">

/**
 * The pages of the one admin port of several processes. Metrics of each stand side by side with a label `process`, and
 * health tells every check of every process. While one process takes requests the node is ready; `isStopping` ends that.
 */
export const pagesOfAll = (
  processes: () => ReadonlyArray<PagedProcess>,
  isStopping: () => boolean
): Effect.Effect<Pages> =>
  Effect.map(Effect.context<never>(), (services) => {
    const health = (tellsReadiness: boolean) =>
      Effect.map(askAll(processes, "/health"), (answers) => healthOfAll(answers, isStopping(), tellsReadiness))
    return {
      "/metrics": Effect.map(askAll(processes, "/metrics"), (answers) =>
        metricsPage(
          labelledMetrics([
            ["supervisor", exposition(services)],
            ...answers.map(({ number, page }) => [String(number), page?.body ?? ""] as const)
          ])
        )
      ),
      "/health": health(false),
      "/health/ready": health(true)
    }
  })

interface ProcessPage extends Pick<PagedProcess, "number" | "pid"> {
  readonly page: Page | undefined
}

const askAll = (
  processes: () => ReadonlyArray<PagedProcess>,
  path: string
): Effect.Effect<ReadonlyArray<ProcessPage>> =>
  Effect.suspend(() =>
    Effect.forEach(
      processes(),
      ({ ask, hasPages, number, pid }) =>
        Effect.map(hasPages() ? ask(path) : Effect.succeed(undefined), (page) => ({ number, pid, page })),
      { concurrency: "unbounded" }
    )
  )

const healthOfAll = (answers: ReadonlyArray<ProcessPage>, isStopping: boolean, tellsReadiness: boolean): Page => {
  const processes = answers.map(({ number, page, pid }) => ({ process: number, pid, ...healthOf(page) }))
  const checks = Object.fromEntries(processes.map((one) => [`process ${one.process}`, resultOf(one)]))
  const takes = !isStopping && processes.some(({ status }) => status !== "failed")
  const allWell = processes.every(({ status }) => status === "ok")
  const status = takes ? (allWell ? "ok" : "degraded") : "failed"
  return healthPage({ status, checks, processes }, tellsReadiness)
}

const healthOf = (page: Page | undefined): Health => {
  if (page === undefined) return { status: "failed", checks: {} }
  const { checks, status } = healthJson.read(page.body)
  return { status, checks }
}

const resultOf = ({ checks, pid, status }: Health & { readonly pid: number }): HealthResult => {
  const failing = Object.keys(checks).filter((name) => checks[name]?.status !== "ok")
  if (status === "ok") return { status, detail: `All checks of pid ${pid} pass.` }
  return failing.length === 0
    ? { status, detail: `Pid ${pid} starts, stops or does not answer.` }
    : { status, detail: `Not well at pid ${pid}: ${failing.join(", ")}.` }
}
