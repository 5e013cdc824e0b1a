export { bodyDecoder, isRefusal } from "./decoding/Decoder.ts"
export { readJsonInStretches, refusedMediaType } from "./pipeline/JsonBody.ts"
