import { Field, Input, makeStyles, Select, Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { TeamChange, type TeamMember } from '#contracts/team.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'
import { errorMessage } from '#web/api/call.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { PasswordDialog } from '#web/forms/password-dialog.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatName } from '#web/ui/format.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useChangeMember, useResetTwoFactor, useTransferOwnership } from './api.ts'
import { roleLabels } from './labels.ts'
import { RoleFields, type RoleValues, toRoleBody } from './role-fields.tsx'

const useStyles = makeStyles({ fields: { display: 'grid', rowGap: '16px' } })

const maxReasonLength = 200
const reasonHint = 'Optional. Kept with the change; do not name patients.'

/** The access of a reviewer ends, and the practice would be without an owner. */
const ownerRoles = Role.options.filter((role) => role !== 'reviewer')

type MemberDialogProps = { member: TeamMember; onClose: () => void }
type ChangeRoleValues = RoleValues & { why: string }

const toChange = ({ why, ...role }: ChangeRoleValues) => ({ ...toRoleBody(role), why: why || null })

/** Changes the role of a member, and the last day of a reviewer. */
export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const change = useChangeMember()
  const { control, formState, submitOnce, showFailure, signedOut } = useContractForm<ChangeRoleValues>({
    start: { role: member.role, lastDay: member.lastDay ?? '', why: '' },
    failed: 'Failed to change the role',
    schema: TeamChange,
    toBody: toChange,
    toInput: (path) => path,
  })
  const role = useWatch({ control, name: 'role' })
  const send = submitOnce(async (values) => {
    try {
      const { role: changed } = await change.mutateAsync({ userId: member.userId, body: toChange(values) })
      notify({ title: 'Role changed', body: `${formatName(member)}: ${roleLabels[changed]}` })
      onClose()
    } catch (error) {
      showFailure(error)
    }
  })
  return (
    <FormDialog
      title={`Change the role of ${formatName(member)}`}
      action="Change role"
      pendingAction="Changing..."
      pending={change.isPending}
      dirty={formState.isDirty && !change.isSuccess}
      signedOut={signedOut}
      onSubmit={send}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <RoleFields control={control} autoFocus roles={member.isOwner ? ownerRoles : Role.options} />
        {role === 'reviewer' && member.providerId !== null && (
          <SecondaryText>A reviewer cannot be a provider. The link to the provider ends.</SecondaryText>
        )}
        <TextField
          control={control}
          name="why"
          label="Reason"
          hint={reasonHint}
          maxLength={maxReasonLength}
          autoComplete="off"
        />
      </div>
    </FormDialog>
  )
}

/** Links a member to a provider, or ends the link. */
export function LinkProviderDialog({ member, onClose }: MemberDialogProps) {
  const notify = useNotify()
  const change = useChangeMember()
  const { data: providers, error } = useQuery(providersQuery)
  const [providerId, setProviderId] = useState<string>(member.providerId ?? '')
  const isFree = ({ userId }: { userId: string | null }) => userId === null || userId === member.userId
  const choices = providers?.filter((provider) => isFree(provider) && (provider.active || provider.id === providerId))
  const send = async () => {
    const body = { providerId: (providerId || null) as ProviderId | null }
    await change.mutateAsync({ userId: member.userId, body })
    notify({ title: providerId ? 'Linked to the provider' : 'Link ended', body: formatName(member) })
    onClose()
  }
  return (
    <FormDialog
      title={`The provider of ${formatName(member)}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={change.isPending}
      dirty={!change.isSuccess && providerId !== (member.providerId ?? '')}
      onSubmit={(event) => {
        event.preventDefault()
        // The field shows the error.
        return send().catch(() => undefined)
      }}
      onClose={onClose}
    >
      <Field
        label="Provider"
        hint="New appointments of this person are booked with the provider unless another one is chosen. Only providers without an account are listed."
        validationMessage={error ? errorMessage(error) : change.error && errorMessage(change.error)}
      >
        <Select
          size="large"
          value={providerId}
          disabled={!choices}
          autoFocus
          onChange={(_, { value }) => setProviderId(value)}
        >
          <option value="">None</option>
          {choices?.map(({ id, name, title }) => (
            <option key={id} value={id}>
              {title ? `${name}, ${title}` : name}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}

type QuestionProps = {
  title: string
  action: string
  pendingAction: string
  done: string
  member: TeamMember
  mutation: { isPending: boolean; error: unknown; mutateAsync: () => Promise<unknown> }
  onClose: () => void
  children: ReactNode
}

/** Asks before a member is changed in a way that the member notices at once. */
function MemberQuestion({ title, action, pendingAction, done, member, mutation, onClose, children }: QuestionProps) {
  const notify = useNotify()
  const confirm = async () => {
    try {
      await mutation.mutateAsync()
      notify({ title: done, body: formatName(member) })
      onClose()
    } catch {
      // The dialog stays open and shows the error.
    }
  }
  return (
    <ConfirmDialog
      open
      title={title}
      action={action}
      pendingAction={pendingAction}
      pending={mutation.isPending}
      failure={mutation.error ? errorMessage(mutation.error) : null}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}

/** Asks before a member is suspended, and for a reason. */
export function SuspendDialog({ member, onClose }: MemberDialogProps) {
  const change = useChangeMember()
  const [why, setWhy] = useState('')
  const suspend = { userId: member.userId, body: { suspended: true, why: why || null } }
  return (
    <MemberQuestion
      title={`Suspend ${formatName(member)}?`}
      action="Suspend"
      pendingAction="Suspending..."
      done="Member suspended"
      member={member}
      mutation={{ ...change, mutateAsync: () => change.mutateAsync(suspend) }}
      onClose={onClose}
    >
      <Text>Every open session of this person ends now, with unsaved input, and signing in is refused.</Text>
      <SecondaryText>What they have recorded stays. You can reinstate them at any time.</SecondaryText>
      <Field label="Reason" hint={reasonHint}>
        <Input
          size="large"
          value={why}
          maxLength={maxReasonLength}
          autoComplete="off"
          onChange={(_, { value }) => setWhy(value)}
        />
      </Field>
    </MemberQuestion>
  )
}

/** Asks for the password before the two-factor sign-in of a member is turned off. */
export function ResetTwoFactorDialog({ member, onClose }: MemberDialogProps) {
  const notify = useNotify()
  const reset = useResetTwoFactor()
  return (
    <PasswordDialog
      title={`Reset the two-factor authentication of ${formatName(member)}?`}
      reason="For someone who lost the phone and the recovery codes, or the device with the passkey. First make sure that it is really this person who asks. It turns off the authenticator app and removes all passkeys. They are signed out everywhere, get a message, and sign in with the password alone until they set it up again."
      action="Reset"
      pendingAction="Resetting..."
      needsCode={false}
      onConfirm={async ({ password }) => {
        await reset.mutateAsync({ userId: member.userId, password })
        notify({ title: 'Two-factor authentication was reset', body: formatName(member) })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Asks before the ownership is transferred. */
export function TransferDialog({ member, onClose }: MemberDialogProps) {
  const transfer = useTransferOwnership()
  return (
    <MemberQuestion
      title={`Make ${formatName(member)} the owner?`}
      action="Transfer ownership"
      pendingAction="Transferring..."
      done="Ownership transferred"
      member={member}
      mutation={{ ...transfer, mutateAsync: () => transfer.mutateAsync(member.userId) }}
      onClose={onClose}
    >
      <Text>
        The owner has every permission and cannot be suspended. You become an administrator, and only the new owner can
        give the practice back to you.
      </Text>
    </MemberQuestion>
  )
}
