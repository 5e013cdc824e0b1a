export {
  type BytesReply,
  htmlReply,
  type Reply,
  type ResponseHeaders,
  rawReply,
  reply,
  replyInTurns,
  withHeader
} from "./contract/Reply.ts"
export { staticBody } from "./contract/StaticBody.ts"
