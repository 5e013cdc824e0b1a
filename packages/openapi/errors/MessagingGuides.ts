import type { ErrorGuides } from "./ErrorGuide.ts"

/** Messages, templates, flows, batches, contacts, media and groups. */
export const messagingGuides = {
  batch_state_conflict: {
    causes: "The batch went on meanwhile: it was cancelled, is complete, or was paused or resumed already.",
    remedy: "Read the batch with `GET /v1/batches/{batch_id}` and decide by its `status`."
  },
  contact_opted_out: {
    causes: "The person asked this business to stop, by a keyword, by a preference, or by your own API call.",
    remedy: "Do not send again. A renewed consent is recorded with `POST /v1/contacts/opt-in`, with its source."
  },
  flow_not_deletable: {
    causes: "The flow was published once; messages may still open it.",
    remedy: "Deprecate it with `POST /v1/flows/{flow_id}/deprecate`."
  },
  flow_not_deprecatable: {
    causes: "The flow is a draft, was rejected, or is deprecated already.",
    remedy: "Delete a draft; nothing is to be done to a deprecated flow."
  },
  flow_not_editable: {
    causes: "The flow is published or deprecated: what customers may have open does not change.",
    remedy: "Create another flow with the changed definition and publish that."
  },
  flow_not_publishable: {
    causes: "The flow is published or deprecated already, or is being reviewed.",
    remedy: "Read its `status`; create another flow for another version."
  },
  invalid_flow_json: {
    causes: "`flow_json` is not a definition: no version, no screens, two screens of one id, or more than 1 MiB.",
    remedy: "Put right what the message names. The guide on flows has a small definition that works."
  },
  group_invite_link_reset_in_progress: {
    causes: "A reset was asked for a moment ago and the platform has not answered.",
    remedy: "Wait for the group's event, then read the link.",
    passes: true
  },
  group_not_active: {
    causes: "The group is being made, is being deleted, or could not be made.",
    remedy: "Read `status` and `failure` of the group; wait for `group.created` before you use it."
  },
  group_participant_limit_reached: {
    causes: "The platform lets a group have eight participants; the sandbox does the same.",
    remedy: "Remove somebody, or make another group."
  },
  group_phone_number_not_eligible: {
    causes: "The number is not active, or its account may not have groups.",
    remedy: "Use another number, or ask the platform to let this account have groups."
  },
  personal_chatapp_group_not_supported: {
    causes: "The id or link is of a group that people made in their app.",
    remedy: "Make a group with `POST /v1/groups` and invite people by its link."
  },
  sandbox_group_participant_sandbox_only: {
    causes: "A production key tried to simulate a participant.",
    remedy: "In production people join by the invite link; use a sandbox key to simulate one."
  },
  invalid_media_mime_type: {
    causes:
      "The media type is not among those that this kind of file may have, or the bytes are of another type than named.",
    remedy: "Convert the file to a type of the list in the media guide, and name that type."
  },
  media_asset_expired: {
    causes: "The asset reached its `expires_at`, or was meant to be sent once and was.",
    remedy: "Upload the file again. Assets that are to stay are made with `lifecycle` `library`."
  },
  media_asset_not_ready: {
    causes: "The upload is not complete, the file is still being fetched, or that failed.",
    remedy: "Complete the upload, or wait; read `status` and `failure_code` of the asset."
  },
  media_storage_quota_exceeded: {
    causes: "The files of this environment fill the room that it has.",
    remedy: "Delete assets, or let them expire sooner; `GET /v1/media/storage-usage` tells how much is used."
  },
  media_too_large: {
    causes: "The file is larger than its kind may be, or empty.",
    remedy: "Compress the file or send it as a document; the media guide lists the limits of each kind."
  },
  media_upload_in_progress: {
    causes: "Two requests send bytes to one upload URL.",
    remedy: "Wait for the other request's answer. If it is stuck, it ends after 20 seconds without progress.",
    passes: true
  },
  media_upload_incomplete: {
    causes: "`complete` was called before all bytes were stored.",
    remedy: "`PUT` the file to `upload_url`, wait for its answer, and complete the upload then."
  },
  media_upload_length_mismatch: {
    causes: "Another number of bytes arrived than `size_bytes` of the session says: cut, or another file.",
    remedy: "Send the whole file again, or make a session with the right size."
  },
  transcription_in_progress: {
    causes: "The asset is being transcribed by an earlier request.",
    remedy: "Wait for `message.media_transcribed`, or read the transcription."
  },
  transcription_media_unsupported: {
    causes: "The asset is no audio.",
    remedy: "Transcribe voice notes and other audio only."
  },
  transcription_byok_runtime_inactive: {
    causes: "Keys of your own are stored here, but transcription with them is not switched on.",
    remedy: "Repeat the same request later."
  },
  transcription_provider_not_configured: {
    causes: "No transcription provider has a key in this environment.",
    remedy: "Set one up with `POST /v1/provider-credential-setup-sessions`, in production."
  },
  message_not_cancellable: {
    causes: "The message is on its way or has arrived; only what still waits here can be taken back.",
    remedy: "Read its `status`. What has left cannot be recalled."
  },
  reaction_target_expired: {
    causes: "The message is older than 30 days.",
    remedy: "React to a newer message, or answer with a text."
  },
  reaction_target_invalid: {
    causes: "The target is your own message, a reaction, or a message of another channel or conversation.",
    remedy: "Name a customer's message of this conversation."
  },
  reaction_target_unavailable: {
    causes: "The platform's id of the message is not known here.",
    remedy: "It cannot be reacted to; answer without a reaction."
  },
  reply_target_unavailable: {
    causes: "The quoted message was never taken by the platform, so that it has no id there.",
    remedy: "Send the message without quoting, or wait until the quoted one is `sent`."
  },
  recipient_cadence_policy_unavailable: {
    causes: "What guards people against too much marketing could not be read.",
    remedy: "Send the same request again later; nothing was sent."
  },
  recipient_duplicate_message: {
    causes: "The person was sent this very marketing content and has not written since.",
    remedy: "Send something else, or wait until they answer. `details.next_allowed_at` tells when, if time helps."
  },
  recipient_frequency_capped: {
    causes: "The person gets no further marketing now; `details.guard_reason` says which guard stands in the way.",
    remedy: "Wait until `details.next_allowed_at` where it is given. Utility messages and answers are not concerned.",
    passes: true
  },
  sender_phone_number_unavailable: {
    causes: "The sending number is not connected, is being ordered, or was released.",
    remedy: "Read the number: its `status` must be `active`. Send from another number meanwhile."
  },
  service_window_required: {
    causes: "More than 24 hours have passed since the person last wrote to this number, or they never did.",
    remedy:
      "Send an approved template, which opens a conversation, or wait until they write. In sandbox let them write with `POST /v1/sandbox/inbound-messages`."
  },
  template_name_taken: {
    causes: "A template of this name and language exists.",
    remedy:
      "Change that template, or take another name. A name that was deleted stays taken at the platform for 30 days."
  },
  template_not_approved: {
    causes: "No version was approved: the template is a draft, is being reviewed, or was rejected.",
    remedy: "Submit it and wait for `template.approved`; `rejection_reason` tells why one was rejected."
  },
  template_not_editable: {
    causes: "The template is being reviewed, or was disabled by the platform.",
    remedy: "Wait for the review to end, or duplicate the template under another name."
  },
  template_not_submittable: {
    causes: "The newest version is being reviewed or approved already.",
    remedy: "Change the template first: that makes a draft, which can be submitted."
  },
  template_provider_connection_required: {
    causes: "No account of the chat platform is connected to this environment, so there is no list to import from.",
    remedy: "Connect an account (POST /v1/provider-connections/upstream), then import again."
  },
  template_param_mismatch: {
    causes: "Variables are missing, too many, empty, or named otherwise than in the approved version.",
    remedy: "Read the template and give one value for each variable of its components. `param` names the first fault."
  },
  invalid_phone_country_calling_code: {
    causes: "No country has this calling code.",
    remedy:
      'Send the code of the country as 1 to 3 digits, such as `"country_calling_code": "55"` beside `"national_number": "(11) 91234-5678"`.'
  },
  invalid_phone_e164: {
    causes:
      "Contacts and their filters: the number is not valid. Only `+` or `00` begins an international number there; any other is read in the `default_region` of the project (BR unless it was changed in the console), with or without its calling code. A number that a spreadsheet wrote as `….0` or with `E+12` is refused. An opt-out also takes a whole international number that no numbering plan lists, with `svc-warning`. `recipient.id`, `to` of a batch and `from` of a simulated customer: the text is not 8 to 15 digits after an optional `+`, with spaces, brackets, dots and hyphens between them. These three are always international, so `11912345678` is a number of North America there.",
    remedy:
      'The message names the likely number: check it and send it. For numbers as people write them, use the structured form of `recipient`, `{"type": "phone_e164", "country_calling_code": "55", "national_number": "(11) 91234-5678"}`, or `phone("(11) 91234-5678", "BR")` of the SDK, and send `+5511912345678`.'
  },
  invalid_phone_national_number: {
    causes: "The number is too short or too long for its country, or a digit is missing.",
    remedy: "Compare it with its source; Brazilian mobile numbers have a 9 before their eight digits."
  }
} as const satisfies ErrorGuides
