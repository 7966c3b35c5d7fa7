package io.rockpool.internal.encryption;

import io.rockpool.engine.ChangeListener;
import io.rockpool.error.CorruptStoreException;
import java.util.Map;

/**
 * Decrypts the keys of rows that other handles have changed.
 *
 * @param hiding the names whose keys are encrypted
 */
record ShownChanges(ChangeListener listener, Map<String, SpaceCipher> hiding)
    implements ChangeListener {
  @Override
  public void rowChanged(String space, byte[] hashKey) {
    SpaceCipher cipher = hiding.get(space);
    byte[] shown;
    try {
      shown = cipher == null ? hashKey : cipher.shownHash(hashKey);
    } catch (CorruptStoreException e) {
      listener.spaceChanged(space); // the name has another space now, with another key
      return;
    }
    listener.rowChanged(space, shown);
  }

  @Override
  public void spaceChanged(String space) {
    listener.spaceChanged(space);
  }

  @Override
  public void spaceEnded(String space) {
    listener.spaceEnded(space);
  }

  @Override
  public void feedLost() {
    listener.feedLost();
  }

  @Override
  public void feedRegained() {
    listener.feedRegained();
  }
}
