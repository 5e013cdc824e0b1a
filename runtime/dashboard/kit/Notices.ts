import type { Saying } from "./Language.ts"
/** Sentences that pages show after a form, by the name in `?done=`; an unknown name shows none. */
export const notices: ReadonlyMap<string, Saying> = new Map(
  Object.entries({
    approved: "Approved. The device gets its key with its next poll.",
    denied: "Denied. The device is told so.",
    revoked: "Revoked. The next request with this key is refused.",
    created: "Created.",
    saved: "Saved.",
    switched: "Switched. The next request meets it.",
    archived: "Archived. Its keys keep working.",
    restored: "Restored.",
    deleted: "Deleted. Its keys are refused from the next request on.",
    enabled: "The endpoint takes deliveries again.",
    disabled: "The endpoint takes no deliveries. Those that waited have been cancelled.",
    endpoint_deleted: "Deleted. Nothing is sent to the endpoint any more; the log of its deliveries stays.",
    recovering: "The endpoint is tested. When the test succeeds it is enabled, and what it missed is delivered.",
    activated: "Activated. They can sign in with a new link.",
    deactivated: "Deactivated. Every session of theirs has ended.",
    disconnected: "Disconnected. Its credential is erased.",
    order_approved: "Approved. The number is being delivered; its order shows how far it is.",
    order_declined: "Declined. Nothing is charged.",
    batch_started: "Accepted. Its messages leave at the pace of the number.",
    batch_pause: "Paused. What waits at the number stays there; nobody else is written to.",
    batch_resume: "Resumed.",
    batch_cancel: "Cancelled. What had left goes on; nobody else is written to.",
    submitted: "Handed in. Its review may take a while.",
    template_deleted: "Deleted. Sends by its name are refused from now on.",
    approval_requested: "Asked for approval.",
    payment_cancelling: "The provider is asked to cancel it.",
    authorization_revoked: "Revoked. No payment is accepted by it any more.",
    flow_published: "Handed in. Messages can open it once it is published.",
    flow_deprecated: "Deprecated. Messages can no longer open it.",
    flow_deleted: "The flow is deleted.",
    contact_erased: "Erased. What is kept of the customer elsewhere goes within an hour.",
    sent_again: "Accepted. This is the new message.",
    resent: "A new attempt is on its way."
  })
)
