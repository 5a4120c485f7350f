import { DialogFrame } from '#web/ui/dialog-frame.tsx'

/** Notice that the assistant is not available yet. */
export function AssistantNotice({ onClose }: { onClose: () => void }) {
  return (
    <DialogFrame title="AI Assistant" closeLabel="Close" closeAppearance="primary" onClose={onClose}>
      The assistant is coming in the next version. It will answer questions about patients, appointments and forms, and
      always cite its sources.
    </DialogFrame>
  )
}
