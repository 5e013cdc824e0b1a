import type { Page } from "../../admin/AdminServer.ts"
import type { Announcement } from "../Announcement.ts"

/** Messages from one of several processes to the supervisor that started it. */
export type ToSupervisor =
  | { readonly type: "ready"; readonly announcement: Announcement }
  /** It cannot start, in the one line of a refusal. */
  | { readonly type: "refused"; readonly message: string }
  /** It stops, takes no more requests and has answered all it had. */
  | { readonly type: "drained" }
  | { readonly type: "page"; readonly id: number; readonly page: Page | undefined }

/** Messages from the supervisor to one of its processes. */
export type ToProcess =
  /** Every process that stops is drained: hand over owners and end. */
  | { readonly type: "leave" }
  /** Asks for a page of the admin port. */
  | { readonly type: "ask"; readonly id: number; readonly path: string }

/** How long a process may work on open requests once its stop has begun. The HTTP listener cuts them before that. */
export const longestDrainMs = 7200
