import { wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { FlowPublisherEntity } from "./FlowPublisherEntity.ts"
import { noticeWrite, ProviderTaskRepo } from "./ProviderTaskRepo.ts"

/** Takes the reports that providers send about flows. gaps-2 E "Inbound upstream webhook" */
export class FlowReports extends Context.Service<
  FlowReports,
  {
    /**
     * A hint that a flow has changed at its provider, which is asked what it is now; an id that no flow has changes
     * nothing. `at` in epoch milliseconds.
     */
    notice(environmentId: string, providerFlowId: string, at: number): Row
  }
>()("@carteiro/runtime/flows/publish/FlowReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(ProviderTaskRepo, (repo) => FlowReports.of({ notice: repo.notice }))
  )
}

/** Has a noticed flow asked about at once; best effort, the sweeper is the guarantee. */
export const wakingPublishers = wakeAfterCommit(FlowPublisherEntity.name, noticeWrite.name)
