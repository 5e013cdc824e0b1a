import type { Event } from "./generated/Types.ts"
import { type ListenOptions, listen } from "./Listen.ts"
import type { ClientOptions } from "./transport/Options.ts"
import { Transport } from "./transport/Transport.ts"

/** The parts of a client that are not made from the description. */
export class CarteiroBase {
  protected readonly transport: Transport

  constructor(options: ClientOptions) {
    this.transport = new Transport(options)
  }

  /**
   * Walks the environment's events, oldest first, and waits for new ones; see `ListenOptions`. At least once and none missed, for seven days.
   */
  listen(options: ListenOptions = {}): AsyncGenerator<Event, void, undefined> {
    return listen(this.transport, options)
  }
}
