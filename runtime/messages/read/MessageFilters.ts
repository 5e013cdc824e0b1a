import type { Channel, Direction, MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"

/** What a list of messages may be narrowed by, as decoded. M-READ-02, gaps-2 B "More list filters" */
export interface MessageFilters {
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
  readonly channel?: Channel | undefined
  readonly direction?: Direction | undefined
  readonly status?: MessageStatus | undefined
  readonly type?: MessageType | undefined
  readonly sender_id?: string | undefined
  readonly recipient?: string | undefined
  readonly batch_id?: string | undefined
  readonly template_name?: string | undefined
}
