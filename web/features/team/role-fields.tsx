import { Field, Select } from '@fluentui/react-components'
import {
  type Control,
  type FieldPath,
  type FieldValues,
  type PathValue,
  useController,
  useWatch,
} from 'react-hook-form'
import { Role } from '#contracts/values/roles.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { roleHints, roleLabels } from './labels.ts'

/** Values of a form that chooses a role. `lastDay` is empty for all roles but `reviewer`. */
export type RoleValues = { role: Role; lastDay: string }

/** Returns the part of a request that a chosen role consists of. */
export const toRoleBody = ({ role, lastDay }: RoleValues) => ({
  role,
  lastDay: role === 'reviewer' ? lastDay || null : null,
})

type RoleFieldsProps<Values extends FieldValues & RoleValues> = {
  control: Control<Values>
  autoFocus?: boolean
  /** Roles that can be chosen; all by default. */
  roles?: readonly Role[]
}

/** Role, explained in one line, and the last day of a reviewer. */
export function RoleFields<Values extends FieldValues & RoleValues>({
  control,
  autoFocus,
  roles = Role.options,
}: RoleFieldsProps<Values>) {
  const { field, fieldState } = useController({ control, name: 'role' as FieldPath<Values> })
  const role = useWatch({ control, name: 'role' as FieldPath<Values> }) as Role
  return (
    <>
      <Field label="Role" hint={roleHints[role]} validationMessage={fieldState.error?.message} required>
        <Select
          {...field}
          size="large"
          value={role}
          autoFocus={autoFocus}
          onChange={(_, { value }) => field.onChange(value as PathValue<Values, FieldPath<Values>>)}
        >
          {roles.map((option) => (
            <option key={option} value={option}>
              {roleLabels[option]}
            </option>
          ))}
        </Select>
      </Field>
      {role === 'reviewer' && (
        <TextField
          control={control}
          name={'lastDay' as FieldPath<Values>}
          label="Last day of access"
          type="date"
          required
        />
      )}
    </>
  )
}
