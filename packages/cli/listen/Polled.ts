import type { ReceivedResponse } from "@carteiro/sdk"

/** Makes a signal for the first page of events: an earlier event is not part of "from now on". */
export const firstPage = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const see = ({ request, status }: ReceivedResponse): void => {
    if (status === 200 && request.url.includes("/webhook-events/listen?")) resolve()
  }
  return { came: promise, see }
}
