import { wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { FlowPublisherWorker } from "./FlowPublisherWorker.ts"
import { noticeWrite, ProviderTaskRepo } from "./ProviderTaskRepo.ts"

/** Takes the reports that providers send about flows. gaps-2 E "Inbound upstream webhook" */
export class FlowReports extends Context.Service<
  FlowReports,
  {
    /**
     * Makes a flow due after a provider's notice, so that its state there is read; an unknown id changes nothing. `at`
     * in epoch milliseconds.
     */
    notice(environmentId: string, providerFlowId: string, at: number): Row
  }
>()("@carteiro/runtime/flows/publish/FlowReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(ProviderTaskRepo, (repo) => FlowReports.of({ notice: repo.notice }))
  )
}

/** Wakes the owner of a noticed flow; the sweeper catches a missed wake-up. */
export const wakingPublishers = wakeAfterCommit(FlowPublisherWorker.name, noticeWrite.name)
