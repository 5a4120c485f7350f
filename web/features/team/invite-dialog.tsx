import { Checkbox, makeStyles, Text } from '@fluentui/react-components'
import { useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { invitationDays, NewInvitation } from '#contracts/team.ts'
import { parsePlanRefusal, PlanNotice } from '#web/entities/billing/plan-notice.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useInvite } from './api.ts'
import { RoleFields, type RoleValues, toRoleBody } from './role-fields.tsx'

const useStyles = makeStyles({
  fields: { display: 'grid', rowGap: '16px' },
  content: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px' },
})

/** The link of an invitation that was not mailed, and the person it is for. */
export type InvitationLink = { email: string; link: string }

type InviteValues = RoleValues & { email: string; isProvider: boolean }

const toBody = ({ email, isProvider, ...role }: InviteValues) => ({
  email,
  isProvider: isProvider && role.role !== 'reviewer',
  ...toRoleBody(role),
})

/** Invites a person by e-mail. Without a mail server, the link is shown once, to be passed on. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [sent, setSent] = useState<InvitationLink | null>(null)
  return sent ? <LinkDialog {...sent} onClose={onClose} /> : <InviteForm onLink={setSent} onClose={onClose} />
}

function InviteForm({ onLink, onClose }: { onLink: (sent: InvitationLink) => void; onClose: () => void }) {
  const styles = useStyles()
  const notify = useNotify()
  const invite = useInvite()
  const refusal = parsePlanRefusal(invite.error)
  const { control, formState, submitOnce, showFailure, signedOut } = useContractForm<InviteValues>({
    start: { email: '', role: 'staff', isProvider: false, lastDay: '' },
    failed: 'Failed to invite',
    schema: NewInvitation,
    toBody,
    toInput: (path) => path,
  })
  const role = useWatch({ control, name: 'role' })
  const send = submitOnce(async (values) => {
    try {
      const { invitation, link } = await invite.mutateAsync(toBody(values))
      if (link !== null) return onLink({ email: invitation.email, link })
      notify({ title: 'Invitation sent', body: invitation.email })
      onClose()
    } catch (error) {
      if (!parsePlanRefusal(error)) showFailure(error)
    }
  })
  return (
    <FormDialog
      title="Invite to the team"
      action="Send invitation"
      pendingAction="Sending..."
      pending={invite.isPending}
      dirty={formState.isDirty && !invite.isSuccess}
      signedOut={signedOut}
      onSubmit={send}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {refusal && <PlanNotice refusal={refusal} />}
        <TextField
          control={control}
          name="email"
          label="Email"
          type="email"
          hint={`The person gets a link that works once, for ${invitationDays} days`}
          autoComplete="off"
          autoFocus
          required
        />
        <RoleFields control={control} />
        {role !== 'reviewer' && (
          <Controller
            control={control}
            name="isProvider"
            render={({ field: { value, onChange, ...field } }) => (
              <Checkbox
                {...field}
                checked={value}
                onChange={(_, { checked }) => onChange(checked === true)}
                label="Sees patients: add this person to the providers"
              />
            )}
          />
        )}
      </div>
    </FormDialog>
  )
}

/** Shows the link of an invitation once: this installation sends no mail. */
export function LinkDialog({ email, link, onClose }: InvitationLink & { onClose: () => void }) {
  const styles = useStyles()
  return (
    <DialogFrame
      title={`The invitation for ${email}`}
      modalType="alert"
      closeLabel="Done"
      classNames={{ content: styles.content }}
      onClose={onClose}
    >
      <Text>
        This installation sends no email. Copy the link and pass it on to this person only: the first person to use it
        joins your practice. It works once, for {invitationDays} days, and is not shown again.
      </Text>
      <CopyField label="Link" value={link} />
    </DialogFrame>
  )
}
