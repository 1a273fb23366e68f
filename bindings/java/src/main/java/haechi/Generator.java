// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.DrbgParameters;
import java.security.DrbgParameters.Capability;
import java.security.SecureRandomParameters;
import java.security.SecureRandomSpi;

/**
 * CTR_DRBG over LEA-256 (SP 800-90A) with the derivation function. Its entropy comes from haechi_random, which the operating
 * system seeds. It takes {@link DrbgParameters}.
 */
final class Generator extends SecureRandomSpi {
    private static final long serialVersionUID = 1;
    private static final int STRENGTH = 256;

    private final transient Context context = new Context();
    private final transient DrbgParameters.Instantiation parameters;

    /** Params may be null. An IllegalArgumentException says what the generator cannot do. */
    Generator(Object params) {
        byte[] person = null;
        Capability capability = Capability.RESEED_ONLY;
        if (params != null) {
            if (!(params instanceof DrbgParameters.Instantiation)) throw new IllegalArgumentException("CTR_DRBG takes DrbgParameters.instantiation(...)");
            DrbgParameters.Instantiation wanted = (DrbgParameters.Instantiation) params;
            if (wanted.getStrength() > STRENGTH) throw new IllegalArgumentException("CTR_DRBG over LEA-256 has a strength of 256 bits, not of " + wanted.getStrength());
            capability = wanted.getCapability() == Capability.PR_AND_RESEED ? Capability.PR_AND_RESEED : Capability.RESEED_ONLY;
            person = wanted.getPersonalizationString();
        }
        parameters = DrbgParameters.instantiation(STRENGTH, capability, person);
        checked(context.generatorInit(capability == Capability.PR_AND_RESEED, person));
    }

    private static void checked(int error) {
        if (error == Context.ELIMIT) throw new IllegalArgumentException("an input of the generator has at most 65536 bytes");
        Context.check(error);
    }

    @Override
    protected void engineSetSeed(byte[] seed) {
        checked(context.generatorReseed(false, seed));
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
        checked(context.generatorRead(bytes, null));
    }

    @Override
    protected void engineNextBytes(byte[] bytes, SecureRandomParameters params) {
        if (!(params instanceof DrbgParameters.NextBytes)) throw new IllegalArgumentException("CTR_DRBG takes DrbgParameters.nextBytes(...)");
        DrbgParameters.NextBytes wanted = (DrbgParameters.NextBytes) params;
        if (wanted.getStrength() > STRENGTH) throw new IllegalArgumentException("the strength is 256 bits, not " + wanted.getStrength());
        if (wanted.getPredictionResistance() && parameters.getCapability() != Capability.PR_AND_RESEED) {
            throw new IllegalArgumentException("this generator was made without prediction resistance");
        }
        checked(context.generatorRead(bytes, wanted.getAdditionalInput()));
    }

    @Override
    protected byte[] engineGenerateSeed(int length) {
        byte[] seed = new byte[length];
        Context.check(Context.random(seed));
        return seed;
    }

    @Override
    protected void engineReseed(SecureRandomParameters params) {
        byte[] more = null;
        if (params != null) {
            if (!(params instanceof DrbgParameters.Reseed)) throw new IllegalArgumentException("CTR_DRBG takes DrbgParameters.reseed(...)");
            more = ((DrbgParameters.Reseed) params).getAdditionalInput();
        }
        checked(context.generatorReseed(true, more));
    }

    @Override
    protected SecureRandomParameters engineGetParameters() {
        return parameters;
    }

    @Override
    public String toString() {
        return "CTR-DRBG-LEA256";
    }

    private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
        throw new java.io.NotSerializableException("a generator of random bytes must not be copied");
    }
}
