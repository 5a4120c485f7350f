import { Skeleton, SkeletonItem } from '@fluentui/react-components'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormDialog } from './form-dialog.tsx'

type EditDialogProps<Data, Key extends readonly unknown[]> = {
  /** Title until the data is loaded. */
  title: string
  /** Label of the placeholder for screen readers. */
  loadingLabel: string
  query: UseQueryOptions<Data, Error, Data, Key>
  renderError: (error: Error, retry: () => void) => ReactNode
  onClose: () => void
  /** Renders the form, which is a dialog of its own. */
  children: (start: Data) => ReactNode
}

/** Loads what is to be edited, then renders its form. The form starts from the current data, not from a cached copy. */
export function EditDialog<Data, Key extends readonly unknown[]>({
  title,
  loadingLabel,
  query,
  renderError,
  onClose,
  children,
}: EditDialogProps<Data, Key>) {
  const { data, error, isFetching, refetch } = useQuery({ ...query, refetchOnMount: 'always' })
  const [start, setStart] = useState<Data>()
  // A background refresh must not change the form while the user types.
  if (start === undefined && data !== undefined && !isFetching) setStart(data)
  if (start !== undefined) return children(start)
  return (
    <FormDialog
      title={title}
      action="Save Changes"
      pendingAction="Save Changes"
      pending={isFetching}
      dirty={false}
      onSubmit={(event) => event.preventDefault()}
      onClose={onClose}
    >
      {error && !isFetching ? (
        renderError(error, () => void refetch())
      ) : (
        <Skeleton aria-label={loadingLabel}>
          <SkeletonItem size={128} />
        </Skeleton>
      )}
    </FormDialog>
  )
}
