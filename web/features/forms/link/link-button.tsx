import { Button } from '@fluentui/react-components'
import { SendRegular } from '@fluentui/react-icons/svg/send'
import { useState } from 'react'
import type { Form } from '#contracts/forms.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { isDraft } from '../labels.ts'
import { LinkDialog } from './link-dialog.tsx'

/** Button that opens the link of a form that is not handed in, for users who may create one. */
export function FormLinkButton({ form }: { form: Form }) {
  const canWrite = useHasPermission('patients:write')
  const [isOpen, setIsOpen] = useState(false)
  if (!canWrite || !isDraft(form)) return null
  return (
    <>
      <Button appearance="subtle" icon={<SendRegular />} onClick={() => setIsOpen(true)}>
        Send link
      </Button>
      {isOpen && <LinkDialog form={form} onClose={() => setIsOpen(false)} />}
    </>
  )
}
