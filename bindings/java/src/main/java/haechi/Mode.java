// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

/** A mode of operation. The native methods know the AEADs by their ordinals, and the modes after them by {@link #plain}. */
enum Mode {
    GCM, CCM, EAX,
    ECB, CBC, CTR, OFB, CFB, CFB8,
    KW, KWP;

    boolean isAead() {
        return this == GCM || this == CCM || this == EAX;
    }

    boolean isKeyWrap() {
        return this == KW || this == KWP;
    }

    /** Whether texts are whole blocks and decryption takes the inverse cipher. */
    boolean hasBlocks() {
        return this == ECB || this == CBC;
    }

    int plain() {
        return ordinal() - ECB.ordinal();
    }

    /** GCM, CCM and key wrap are defined for blocks of 128 bits. */
    boolean takes(Family family) {
        return family.block == 16 || !(this == GCM || this == CCM || isKeyWrap());
    }
}
