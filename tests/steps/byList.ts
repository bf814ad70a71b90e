import type { Shared } from "../../provider/core/language/stepInput";
import { SharedList } from "../../provider/core/requests/shared/sharedList";

/** Shared reads that use the list, because each read is not the first one of its list. No list is reused. */
export const BY_LIST: Shared = {
  kept(_, make) {
    const made = make();
    if (made instanceof SharedList) void made.find("another object", new AbortController().signal);
    return made;
  },
};
