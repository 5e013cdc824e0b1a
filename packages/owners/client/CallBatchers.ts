import type { Tracer } from "effect"
import { CallBatcher, type SendBatch } from "./CallBatcher.ts"

const lookEveryMs = 250

/** The batchers of one operation, by owner. While any has calls, all are looked at four times a second. */
export class CallBatchers<Item, A> {
  private readonly batchers = new Map<string, CallBatcher<Item, A>>()
  private looks: NodeJS.Timeout | undefined
  private readonly sendTo: (id: string) => SendBatch<Item, A>
  private readonly context: Pick<ConstructorParameters<typeof CallBatcher<Item, A>>[0], "fork" | "now">

  constructor(
    sendTo: (id: string) => SendBatch<Item, A>,
    context: Pick<ConstructorParameters<typeof CallBatcher<Item, A>>[0], "fork" | "now">
  ) {
    this.sendTo = sendTo
    this.context = context
  }

  call(id: string, item: Item, deadline: number, span?: Tracer.Span) {
    let batcher = this.batchers.get(id)
    if (batcher === undefined) {
      batcher = new CallBatcher({ ...this.context, send: this.sendTo(id), onIdle: () => this.batchers.delete(id) })
      this.batchers.set(id, batcher)
    }
    this.looks ??= setInterval(() => this.look(), lookEveryMs).unref()
    return batcher.call(item, deadline, span)
  }

  /** It goes by real time, like the patience of statements. */
  private look(): void {
    const now = performance.now()
    for (const batcher of this.batchers.values()) batcher.look(now)
    if (this.batchers.size > 0) return
    clearInterval(this.looks)
    this.looks = undefined
  }
}
